// What the sample for Unreal uses of Unreal, for a compiler without it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

using uint8 = std::uint8_t;
using int32 = std::int32_t;
using uint64 = std::uint64_t;

struct FVector {
    double X, Y, Z;
    FVector() : X(0), Y(0), Z(0) {}
    FVector(double x, double y, double z) : X(x), Y(y), Z(z) {}
};

template <class T>
class TArray {
public:
    TArray() = default;
    explicit TArray(std::vector<T> values) : values_(std::move(values)) {}
    const T *GetData() const { return values_.data(); }
    int32 Num() const { return int32(values_.size()); }
    void Reserve(int32 count) { values_.reserve(std::size_t(count)); }
    void Add(const T &value) { values_.push_back(value); }
    void Reset() { values_.clear(); }
    const T &operator[](int32 k) const { return values_[std::size_t(k)]; }

private:
    std::vector<T> values_;
};
